package manager

import (
	"reflect"
	"time"
	"unsafe"
)

// NodescopeResyncLate gives all reflectors a resync that never comes. Without one they wait for a channel that is made when the
// program begins, and while a goroutine waits for a channel from outside of a bubble, its clock stands still.
func NodescopeResyncLate(store Store) {
	c := store.(*objectCache)
	c.lock.Lock()
	defer c.lock.Unlock()
	for _, item := range c.items {
		period := reflect.ValueOf(item.reflector).Elem().FieldByName("resyncPeriod")
		*(*time.Duration)(unsafe.Pointer(period.UnsafeAddr())) = 1_000_000 * time.Hour
	}
}
