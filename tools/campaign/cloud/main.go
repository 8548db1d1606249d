// Command cloud runs stores for the campaign until its standard input ends:
// Cloud Storage, and S3 where its server is there. It says on standard output
// where they listen. Each line of its standard input is a command, and what it
// answers ends in a line "done":
//
//	faults SHARE SEED   that share of all requests goes wrong from now on; it
//	                    answers how many requests there were since the last
//	put NAME FILE       copies a file into a store
//	fetch NAME FOLDER   copies all that is below a name into a folder
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/palimpsest-deid/palimpsest/storage"
	"github.com/palimpsest-deid/palimpsest/storage/emulate"
)

const bucket = "warehouse"

func main() {
	program := flag.String("s3", "", "the S3 server's program; without it there is no S3")
	dir := flag.String("dir", "", "folder for its objects")
	flag.Parse()
	log.SetOutput(io.Discard) // what the stores say of broken requests
	if err := run(*program, *dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(program, dir string) error {
	gcs, err := emulate.GCS(bucket)
	if err != nil {
		return err
	}
	defer gcs.Close()
	servers := []*emulate.Server{gcs}
	fmt.Println("gs", gcs.Address)
	os.Setenv("STORAGE_EMULATOR_HOST", gcs.Address)
	if program != "" {
		s3, err := emulate.S3(program, dir, bucket)
		if err != nil {
			return err
		}
		defer s3.Close()
		servers = append(servers, s3)
		fmt.Println("s3", s3.Address)
		for name, value := range map[string]string{"ENDPOINT_URL": "http://" + s3.Address, "REGION": "us-east-1",
			"ACCESS_KEY_ID": emulate.AccessKey, "SECRET_ACCESS_KEY": emulate.SecretKey} {
			os.Setenv("AWS_"+name, value)
		}
	}
	fmt.Println("done")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); fmt.Println("done") {
		words := append(strings.SplitN(lines.Text(), " ", 3), "", "")
		switch words[0] {
		case "faults":
			err = faults(servers, words[1], words[2])
		case "put":
			err = put(words[1], words[2])
		case "fetch":
			err = fetch(words[1], words[2])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func faults(servers []*emulate.Server, share, seed string) error {
	var s float64
	var n uint64
	if _, err := fmt.Sscan(share+" "+seed, &s, &n); err != nil {
		return err
	}
	requests := 0
	for _, server := range servers {
		requests += len(server.Seen())
		server.AtRandom(s, n)
	}
	fmt.Println(requests)
	return nil
}

func put(name, file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return storage.WriteFile(context.Background(), name, data)
}

func fetch(name, folder string) error {
	ctx := context.Background()
	infos, err := storage.List(ctx, name)
	if err != nil {
		return err
	}
	for _, info := range infos {
		data, err := storage.ReadFile(ctx, info.Name, 1<<30)
		if err != nil {
			return err
		}
		to := filepath.Join(folder, strings.TrimPrefix(info.Name, name))
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(to, data, 0o600); err != nil {
			return err
		}
	}
	return nil
}
