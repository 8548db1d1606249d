package transforms

import (
	"context"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/util/reflectx"
)

func init() {
	reflectx.RegisterFunc(reflect.TypeFor[setup](), func(fn any) reflectx.Func {
		return &caller[setup]{fn.(setup), func(f setup, args []any) error { return f(args[0].(context.Context)) }}
	})
}

// setup is the type of every Setup.
type setup = func(context.Context) error

// registerDoFn registers the DoFn D with Beam. process returns its ProcessElement
// as a value, of type F, and call calls one with the arguments that Beam has. If
// D has a Setup, Beam hears of that too.
//
// Package register of Beam would do the same, and wrap every StartBundle and
// FinishBundle that a DoFn of that signature could have: 30 MB of the program.
func registerDoFn[D, F any](process func(*D) F, call func(process F, args []any) error) {
	beam.RegisterDoFn(new(D))
	reflectx.RegisterFunc(reflect.TypeFor[F](), func(fn any) reflectx.Func { return &caller[F]{fn.(F), call} })
	reflectx.RegisterStructWrapper(reflect.TypeFor[D](), func(fn any) map[string]reflectx.Func {
		methods := map[string]reflectx.Func{"ProcessElement": reflectx.MakeFunc(process(fn.(*D)))}
		if d, ok := fn.(interface{ Setup(context.Context) error }); ok {
			methods["Setup"] = reflectx.MakeFunc(d.Setup)
		}
		return methods
	})
}

// caller makes a ProcessElement a reflectx.Func.
type caller[F any] struct {
	fn   F
	call func(F, []any) error
}

func (c *caller[F]) Name() string          { return reflectx.FunctionName(c.fn) }
func (c *caller[F]) Type() reflect.Type    { return reflect.TypeOf(c.fn) }
func (c *caller[F]) Call(args []any) []any { return []any{c.call(c.fn, args)} }
