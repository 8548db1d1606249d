// Command cloud runs stores for the campaign until its standard input ends:
// Cloud Storage, and S3 where its server is there. It says on standard output
// where they listen. Each line of its standard input, "SHARE SEED", sets which
// share of all requests goes wrong from then on; the answer is how many there
// were since the last.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/palimpsest-deid/palimpsest/storage/emulate"
)

const bucket = "warehouse"

func main() {
	program := flag.String("s3", "", "the S3 server's program; without it there is no S3")
	dir := flag.String("dir", "", "folder for its objects")
	flag.Parse()
	log.SetOutput(io.Discard) // what the stores say of broken requests
	var servers []*emulate.Server
	start := func(name string, s *emulate.Server, err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		servers = append(servers, s)
		fmt.Printf("%s %s\n", name, s.Address)
	}
	s, err := emulate.GCS(bucket)
	start("gs", s, err)
	if *program != "" {
		s, err := emulate.S3(*program, *dir, bucket)
		start("s3", s, err)
	}
	fmt.Println("ready")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var share float64
		var seed uint64
		if _, err := fmt.Sscan(lines.Text(), &share, &seed); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		requests := 0
		for _, s := range servers {
			requests += len(s.Seen())
			s.AtRandom(share, seed)
		}
		fmt.Println(requests)
	}
	for _, s := range servers {
		s.Close()
	}
}
