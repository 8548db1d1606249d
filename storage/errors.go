package storage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"

	gcs "cloud.google.com/go/storage"
	"github.com/minio/minio-go/v7"
	"google.golang.org/api/googleapi"
)

// Error is a failed operation on an object.
type Error struct {
	Op     string // what was tried, such as "open"
	Name   string // the object, file or directory
	Err    error  // why it failed
	Advice string // what to do about it; empty where nothing is known
}

func (e *Error) Error() string {
	s := fmt.Sprintf("storage: %s %s: %s", e.Op, e.Name, describe(e.Err))
	if e.Advice != "" {
		s += "; " + e.Advice
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// describe is err.Error without what does not belong in a log: the XML bodies
// of server errors, the URLs of upload sessions (whoever knows one may write
// to it), and the path that Error.Name gives already.
func describe(err error) string {
	var api *googleapi.Error
	if errors.As(err, &api) {
		message := api.Message
		if message == "" {
			message = http.StatusText(api.Code)
		}
		return fmt.Sprintf("HTTP status %d: %s", api.Code, message)
	}
	var request *url.Error
	if errors.As(err, &request) {
		return strings.ToLower(request.Op) + " request: " + describe(request.Err)
	}
	var file *fs.PathError
	if errors.As(err, &file) {
		return file.Err.Error()
	}
	return err.Error()
}

// finished tells whether err only says that the caller's context has ended.
func finished(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// localError wraps an error of the local file system. A nil err stays nil.
func localError(op, name string, err error) error {
	var ours *Error
	if err == nil || errors.As(err, &ours) {
		return err
	}
	advice := ""
	switch {
	case finished(err):
	case errors.Is(err, ErrChanged):
		advice = changedAdvice
	case errors.Is(err, fs.ErrPermission):
		advice = "check who owns it and its directory, and their permissions"
	case errors.Is(err, fs.ErrNotExist):
		advice = "check the path"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		advice = "free some space or write elsewhere"
	case errors.Is(err, syscall.EROFS):
		advice = "this file system is read-only: write elsewhere"
	case errors.Is(err, syscall.EXDEV):
		advice = "keep both names on one file system"
	case errors.Is(err, errNotRegular):
		advice = "name a file"
	case errors.Is(err, syscall.ENOTDIR):
		err = &kindError{error: err, kind: fs.ErrInvalid}
		advice = "a part of this path is a file, not a directory"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		advice = "raise the limit of open files (ulimit -n)"
	}
	return &Error{Op: op, Name: name, Err: err, Advice: advice}
}

const changedAdvice = "run again once nothing writes to the input"

// gcsError wraps an error of the Cloud Storage client. A nil err stays nil.
// Not-found and forbidden become fs.ErrNotExist and fs.ErrPermission too.
func gcsError(op, name string, err error) error {
	var ours *Error
	if err == nil || errors.As(err, &ours) {
		return err
	}
	if finished(err) {
		return &Error{Op: op, Name: name, Err: err}
	}
	bucket := name
	if b, _, err := splitObject("gs", name); err == nil {
		bucket = "gs://" + b
	}
	var api *googleapi.Error
	code := 0
	if errors.As(err, &api) {
		code = api.Code
	}
	advice := ""
	switch {
	case errors.Is(err, ErrChanged):
		advice = changedAdvice
	case errors.Is(err, gcs.ErrBucketNotExist):
		err = &kindError{error: fmt.Errorf("there is no bucket %s", bucket), kind: fs.ErrNotExist}
		advice = "correct the name or make the bucket"
	case errors.Is(err, gcs.ErrObjectNotExist):
		err = &kindError{error: errors.New("there is no such object"), kind: fs.ErrNotExist}
		advice = "check the name"
	case code == http.StatusNotFound:
		err = &kindError{error: err, kind: fs.ErrNotExist}
		advice = "check the names of bucket and object"
	case code == http.StatusUnauthorized:
		err = &kindError{error: err, kind: fs.ErrPermission}
		advice = credentialsAdvice
	case code == http.StatusForbidden:
		err = &kindError{error: err, kind: fs.ErrPermission}
		advice = "grant the account in use Storage Object User on " + bucket + " (Storage Object Viewer is enough for input)"
	case code == http.StatusTooManyRequests || code >= 500:
		advice = "Cloud Storage still refused after several tries: run again later"
	case strings.Contains(describe(err), "cannot fetch token"), strings.Contains(describe(err), "oauth2:"):
		// Fetching an access token fails with errors of many types.
		advice = credentialsAdvice
	case errors.As(err, new(net.Error)):
		advice = "check the network, and STORAGE_EMULATOR_HOST where it is set"
	}
	return &Error{Op: op, Name: name, Err: err, Advice: advice}
}

const credentialsAdvice = "run `gcloud auth application-default login`, or name a key file in GOOGLE_APPLICATION_CREDENTIALS, or use a " +
	"machine whose service account may read and write here"

// unusable is an error about a name that can never be served.
func unusable(format string, args ...any) error {
	return &kindError{error: fmt.Errorf(format, args...), kind: fs.ErrInvalid}
}

// kindError keeps an error's text and type, and is of a second kind too.
type kindError struct {
	error
	kind error
}

func (e *kindError) Unwrap() []error { return []error{e.error, e.kind} }

// s3Error wraps an error of the S3 client. A nil err stays nil. Not-found and
// forbidden become fs.ErrNotExist and fs.ErrPermission too.
func s3Error(op, name string, err error) error {
	var ours *Error
	if err == nil || errors.As(err, &ours) {
		return err
	}
	if finished(err) {
		return &Error{Op: op, Name: name, Err: err}
	}
	bucket := name
	if b, _, err := splitObject("s3", name); err == nil {
		bucket = "s3://" + b
	}
	var answer minio.ErrorResponse
	if errors.As(err, &answer) && answer.Code != "NoSuchBucket" {
		// Not the server's own words, which hold request ids and paths.
		err = fmt.Errorf("HTTP status %d: %s", answer.StatusCode, cmp.Or(answer.Code, http.StatusText(answer.StatusCode)))
	}
	advice := ""
	switch code := answer.StatusCode; {
	case errors.Is(err, ErrChanged):
		advice = changedAdvice
	case errors.Is(err, errUnheeded):
		advice = "use a store with conditional writes, as Amazon S3, MinIO and Ceph (from 2025 on) have them, or a local disk"
	case answer.Code == "NoSuchBucket":
		err = &kindError{error: fmt.Errorf("there is no bucket %s", bucket), kind: fs.ErrNotExist}
		advice = "correct the name or make the bucket; check AWS_REGION and AWS_ENDPOINT_URL"
	case code == http.StatusNotFound:
		err = &kindError{error: errors.New("there is no such object"), kind: fs.ErrNotExist}
		advice = "check the name"
	case code == http.StatusUnauthorized, code == http.StatusForbidden, code == http.StatusBadRequest &&
		strings.Contains(answer.Code, "Token"):
		err = &kindError{error: err, kind: fs.ErrPermission}
		advice = "check the credentials (AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, ~/.aws/credentials or the machine's role), the clock, " +
			"and that they may list, get, put and delete in " + bucket + " (list and get are enough for input)"
	case code == http.StatusTooManyRequests || code >= 500:
		advice = "the store still refused after several tries: run again later"
	case errors.As(err, new(net.Error)):
		advice = "check the network, AWS_ENDPOINT_URL and AWS_REGION"
	}
	return &Error{Op: op, Name: name, Err: err, Advice: advice}
}
