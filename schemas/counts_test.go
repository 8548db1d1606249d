package schemas

import (
	"reflect"
	"testing"
)

// Add forgets no field: counts that are all one, added twice, are all two, but
// for the greatest, which stays.
func TestAddCountsEveryField(t *testing.T) {
	one := NewCounts()
	v := reflect.ValueOf(&one).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.Int64:
			f.SetInt(1)
		case reflect.Map:
			if f.Type().Elem().Kind() == reflect.Struct {
				n := ColumnCounts{1, 1, 1, 1, 1, 1, 1, 1, 1}
				f.SetMapIndex(reflect.ValueOf("x"), reflect.ValueOf(n))
				continue
			}
			f.SetMapIndex(reflect.ValueOf("x"), reflect.ValueOf(int64(1)))
		default:
			t.Fatalf("%s is neither a number nor a map", v.Type().Field(i).Name)
		}
	}
	sum := NewCounts()
	sum.Add(&one)
	sum.Add(&one)
	w := reflect.ValueOf(sum)
	for i := range w.NumField() {
		name, want := w.Type().Field(i).Name, int64(2)
		if name == "LargestID" {
			want = 1
		}
		f := w.Field(i)
		if f.Kind() == reflect.Map {
			f = f.MapIndex(reflect.ValueOf("x"))
		}
		if f.Kind() == reflect.Struct {
			if got := f.Interface(); got != (ColumnCounts{2, 2, 2, 2, 2, 2, 2, 2, 2}) {
				t.Errorf("%s is %v", name, got)
			}
			continue
		}
		if !f.IsValid() || f.Int() != want {
			t.Errorf("%s is %v, want %d", name, f, want)
		}
	}
}
