package storage

import (
	"slices"
	"strings"
)

// What stores of objects, which know no directories, have in common.

// splitObject cuts scheme://bucket/object; object may be empty. Segments . and
// .. are refused: a store would take them as they stand, and every other tool
// would not.
func splitObject(scheme, name string) (bucket, object string, err error) {
	given, rest := splitScheme(name)
	bucket, object, _ = strings.Cut(rest, "/")
	if given != scheme || bucket == "" {
		return "", "", unusable("it names no bucket; write %s://bucket/path", scheme)
	}
	for seg := range strings.SplitSeq(object, "/") {
		if seg == "." || seg == ".." {
			return "", "", unusable("the path holds the segment %s; write the path without it", seg)
		}
	}
	return bucket, object, nil
}

// splitFile is splitObject for a name that must be a file's.
func splitFile(scheme, name string) (bucket, object string, err error) {
	bucket, object, err = splitObject(scheme, name)
	if err == nil && (object == "" || strings.HasSuffix(object, "/")) {
		err = unusable("it names a directory, not a file")
	}
	return bucket, object, err
}

// directory returns the prefix of all names below dir, "" for a whole bucket.
func directory(scheme, dir string) (bucket, prefix string, err error) {
	bucket, prefix, err = splitObject(scheme, dir)
	if prefix = strings.TrimRight(prefix, "/"); prefix != "" {
		prefix += "/"
	}
	return bucket, prefix, err
}

// eachObject calls do for every object of a bucket whose name starts with
// prefix, in the byte order of names.
type eachObject func(bucket, prefix string, do func(object string, info Info)) error

// globObjects is System.Glob for a store of objects.
func globObjects(scheme, name string, each eachObject) ([]Info, error) {
	bucket, object, err := splitObject(scheme, name)
	if err == nil && hasMeta(bucket) {
		err = unusable("the bucket must be spelled out, without wildcards")
	}
	if err != nil {
		return nil, err
	}
	object = strings.TrimRight(object, "/")
	prefix := object
	if i := strings.IndexAny(object, meta); i >= 0 {
		prefix = object[:i]
	}
	p, err := parsePattern(object)
	if err != nil {
		return nil, err
	}
	if object != "" {
		object += "/"
	}
	// Which of the three a pattern is, shows only when the listing is through:
	// the exact name of a file, a directory, or wildcards.
	var exact, below, matching []Info
	err = each(bucket, prefix, func(key string, info Info) {
		if strings.HasSuffix(key, "/") {
			return // a placeholder that consoles make for a directory
		}
		if key+"/" == object {
			exact = append(exact, info)
		}
		if rest, ok := strings.CutPrefix(key, object); ok {
			dirs := strings.Split(rest, "/")
			dirs = dirs[:len(dirs)-1]
			if strings.HasSuffix(rest, ".parquet") && !slices.ContainsFunc(dirs, aside) {
				below = append(below, info)
			}
		}
		if hasMeta(name) && p.match(strings.Split(key, "/")) {
			matching = append(matching, info)
		}
	})
	switch {
	case err != nil:
		return nil, err
	case len(exact) > 0:
		return exact, nil
	case len(below) > 0:
		return sortInfos(below), nil
	}
	return sortInfos(matching), nil
}

// listObjects is System.List for a store of objects.
func listObjects(scheme, dir string, each eachObject) ([]Info, error) {
	bucket, prefix, err := directory(scheme, dir)
	if err != nil {
		return nil, err
	}
	var infos []Info
	err = each(bucket, prefix, func(key string, info Info) {
		if !strings.HasSuffix(key, "/") {
			infos = append(infos, info)
		}
	})
	return sortInfos(infos), err
}

// allObjects returns the names of all objects below a directory, of
// placeholders, too. A whole bucket is refused.
func allObjects(scheme, dir string, each eachObject) (bucket string, objects []string, err error) {
	bucket, prefix, err := directory(scheme, dir)
	if err == nil && prefix == "" {
		err = unusable("it is a whole bucket; name a directory in it")
	}
	if err != nil {
		return "", nil, err
	}
	err = each(bucket, prefix, func(key string, _ Info) { objects = append(objects, key) })
	return bucket, objects, err
}
