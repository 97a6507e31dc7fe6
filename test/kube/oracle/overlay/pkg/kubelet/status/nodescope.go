package status

import (
	"context"

	"k8s.io/apimachinery/pkg/types"
)

// NodescopeSyncBatch sends what is due, or looks at everything; how many pods were tried.
func NodescopeSyncBatch(of Manager, all bool) int {
	return of.(*manager).syncBatch(context.Background(), all)
}

// NodescopeVersions are the versions of all statuses in the cache.
func NodescopeVersions(of Manager) map[types.UID]uint64 {
	versions := map[types.UID]uint64{}
	for uid, status := range of.(*manager).podStatuses {
		versions[uid] = status.version
	}
	return versions
}
