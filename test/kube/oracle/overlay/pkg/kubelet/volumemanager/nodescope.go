package volumemanager

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"sync"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/record"
	"k8s.io/kubernetes/pkg/volume"
	"k8s.io/kubernetes/pkg/volume/util/hostutil"
	"k8s.io/kubernetes/pkg/volume/util/subpath"
	volumetypes "k8s.io/kubernetes/pkg/volume/util/types"
	"k8s.io/kubernetes/pkg/volume/util/volumepathhandler"
	"k8s.io/mount-utils"
)

// NodescopeVolumeWork is how setting up or tearing down a volume ends.
type NodescopeVolumeWork struct {
	// ms.
	Takes int64
	Error string
}

// NodescopeVolumeStep changes what the volume manager looks at, and lets time pass.
type NodescopeVolumeStep struct {
	Pods                 []*v1.Pod
	Terminating, Removed []types.UID
	SourcesReady         bool
	// By UID and name of the volume, as "u/data".
	SetUps, TearDowns map[string]NodescopeVolumeWork
	Waits             []struct {
		Pod   v1.Pod
		Until string
	}
	// Ends the waits for a pod.
	Cancel types.UID
	Ms     int64
}

// NodescopeVolumeLife is what an earlier kubelet left, by UID, plugin and name, and what happens then.
type NodescopeVolumeLife struct {
	Left  []struct{ UID, Plugin, Volume string }
	Steps []NodescopeVolumeStep
}

// volumeLife is the rest of the kubelet.
type volumeLife struct {
	volume.VolumeHost
	record.EventRecorder
	lock    sync.Mutex
	began   time.Time
	lines   []string
	podsDir string
	now     NodescopeVolumeStep
}

func (l *volumeLife) write(format string, args ...any) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.lines = append(l.lines, fmt.Sprintf("%8d %s", time.Since(l.began).Milliseconds(), fmt.Sprintf(format, args...)))
}

func (l *volumeLife) current() NodescopeVolumeStep {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.now
}

func (l *volumeLife) GetPods() []*v1.Pod { return l.current().Pods }

func (l *volumeLife) GetPodByUID(uid types.UID) (*v1.Pod, bool) {
	for _, pod := range l.current().Pods {
		if pod.UID == uid {
			return pod, true
		}
	}
	return nil, false
}

func has(uids []types.UID, uid types.UID) bool {
	for _, each := range uids {
		if each == uid {
			return true
		}
	}
	return false
}

func (l *volumeLife) ShouldPodContainersBeTerminating(uid types.UID) bool {
	return has(l.current().Terminating, uid)
}

func (l *volumeLife) ShouldPodRuntimeBeRemoved(uid types.UID) bool {
	return has(l.current().Removed, uid)
}

func (l *volumeLife) AddSource(string) {}

func (l *volumeLife) AllReady() bool { return l.current().SourcesReady }

func (l *volumeLife) Eventf(_ runtime.Object, eventType, reason, format string, args ...any) {
	l.write("event %s %s %s", eventType, reason, fmt.Sprintf(format, args...))
}

func (l *volumeLife) GetSubpather() subpath.Interface { return &subpath.FakeSubpath{} }

func (l *volumeLife) GetPodsDir() string { return l.podsDir }

func (l *volumeLife) do(what, of string, works map[string]NodescopeVolumeWork) error {
	l.write("%s %s", what, of)
	work := works[of]
	time.Sleep(time.Duration(work.Takes) * time.Millisecond)
	if work.Error == "" {
		l.write("%s %s succeeded", what, of)
		return nil
	}
	l.write("%s %s failed", what, of)
	return errors.New(work.Error)
}

// volumePlugin has no files.
type volumePlugin struct {
	life     *volumeLife
	name     string
	remounts bool
	supports func(v1.VolumeSource) bool
}

func (p volumePlugin) Init(volume.VolumeHost) error                 { return nil }
func (p volumePlugin) GetPluginName() string                        { return p.name }
func (p volumePlugin) GetVolumeName(s *volume.Spec) (string, error) { return s.Name(), nil }
func (p volumePlugin) CanSupport(s *volume.Spec) bool {
	return s.Volume != nil && p.supports(s.Volume.VolumeSource)
}
func (p volumePlugin) RequiresRemount(*volume.Spec) bool                      { return p.remounts }
func (p volumePlugin) SupportsMountOption() bool                              { return false }
func (p volumePlugin) SupportsSELinuxContextMount(*volume.Spec) (bool, error) { return false, nil }

func (p volumePlugin) NewMounter(s *volume.Spec, pod *v1.Pod) (volume.Mounter, error) {
	return volumeOfPod{plugin: p, of: string(pod.UID) + "/" + s.Name()}, nil
}

func (p volumePlugin) NewUnmounter(name string, uid types.UID) (volume.Unmounter, error) {
	return volumeOfPod{plugin: p, of: string(uid) + "/" + name}, nil
}

func (p volumePlugin) ConstructVolumeSpec(name, _ string) (volume.ReconstructedVolume, error) {
	source := v1.VolumeSource{EmptyDir: &v1.EmptyDirVolumeSource{}}
	if p.remounts {
		source = v1.VolumeSource{ConfigMap: &v1.ConfigMapVolumeSource{}}
	}
	return volume.ReconstructedVolume{Spec: volume.NewSpecFromVolume(&v1.Volume{Name: name, VolumeSource: source})}, nil
}

type volumeOfPod struct {
	*volume.MetricsNil
	plugin volumePlugin
	of     string
}

func (v volumeOfPod) GetPath() string                          { return "/" + v.of }
func (v volumeOfPod) GetAttributes() volume.Attributes         { return volume.Attributes{} }
func (v volumeOfPod) SetUpAt(string, volume.MounterArgs) error { return nil }
func (v volumeOfPod) TearDownAt(string) error                  { return nil }
func (v volumeOfPod) SetUp(volume.MounterArgs) error {
	return v.plugin.life.do("setUp", v.of, v.plugin.life.current().SetUps)
}
func (v volumeOfPod) TearDown() error {
	return v.plugin.life.do("tearDown", v.of, v.plugin.life.current().TearDowns)
}

// waitAsSyncTerminatedPod also waits for volumes of which it is not known whether they are mounted (kubelet.go SyncTerminatedPod).
func (vm *volumeManager) waitAsSyncTerminatedPod(ctx context.Context, pod *v1.Pod) error {
	if err := vm.WaitForUnmount(ctx, pod); err != nil {
		return err
	}
	return wait.PollUntilContextCancel(ctx, 100*time.Millisecond, true, func(context.Context) (bool, error) {
		return len(vm.GetPossiblyMountedVolumesForPod(volumetypes.UniquePodName(pod.UID))) == 0, nil
	})
}

// NodescopeRunVolumes writes what a volume manager does, line by line. The reconciler begins 50 ms after the populator, so that
// they never run at one moment.
func NodescopeRunVolumes(given NodescopeVolumeLife, settle func()) (any, error) {
	folder, err := os.MkdirTemp("", "nodescope-pods-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	for _, left := range given.Left {
		path := filepath.Join(folder, left.UID, "volumes", "kubernetes.io~"+left.Plugin, left.Volume)
		if err := os.MkdirAll(path, 0o755); err != nil {
			return nil, err
		}
	}
	life := &volumeLife{began: time.Now(), podsDir: folder}
	emptyDir := volumePlugin{life, "kubernetes.io/empty-dir", false, func(s v1.VolumeSource) bool { return s.EmptyDir != nil }}
	configMap := volumePlugin{life, "kubernetes.io/configmap", true, func(s v1.VolumeSource) bool { return s.ConfigMap != nil }}
	plugins := &volume.VolumePluginMgr{}
	if err := plugins.InitPlugins([]volume.VolumePlugin{emptyDir, configMap}, nil, life); err != nil {
		return nil, err
	}
	manager := NewVolumeManager(true, "n", life, life, nil, plugins, mount.NewFakeMounter(nil), hostutil.NewFakeHostUtil(nil),
		folder, life, volumepathhandler.NewBlockVolumePathHandler()).(*volumeManager)
	if len(given.Steps) > 0 {
		life.now = given.Steps[0]
	}
	ctx, stop := context.WithCancel(context.Background())
	defer settle()
	defer stop()
	go manager.desiredStateOfWorldPopulator.Run(ctx, life)
	time.Sleep(50 * time.Millisecond)
	go manager.reconciler.Run(ctx, ctx.Done())
	// Waits begin at moments at which neither of them runs.
	time.Sleep(20 * time.Millisecond)
	cancels := map[types.UID][]context.CancelFunc{}
	for number, step := range given.Steps {
		life.lock.Lock()
		life.now = step
		life.lock.Unlock()
		for _, cancel := range cancels[step.Cancel] {
			cancel()
		}
		settle()
		for _, asked := range step.Waits {
			ctx, cancel := context.WithCancel(ctx)
			cancels[asked.Pod.UID] = append(cancels[asked.Pod.UID], cancel)
			go func() {
				defer cancel()
				// Not at the moment of the step.
				time.Sleep(10 * time.Millisecond)
				until := manager.WaitForAttachAndMount
				if asked.Until == "unmounted" {
					until = manager.waitAsSyncTerminatedPod
				}
				text := "ok"
				if err := until(ctx, &asked.Pod); err != nil {
					text = err.Error()
				}
				life.write("wait %d %s until %s: %s", number, asked.Pod.UID, asked.Until, text)
			}()
		}
		time.Sleep(time.Duration(step.Ms) * time.Millisecond)
		settle()
		uids := map[types.UID]bool{}
		for _, step := range given.Steps {
			for _, pod := range step.Pods {
				uids[pod.UID] = true
			}
		}
		for _, left := range given.Left {
			uids[types.UID(left.UID)] = true
		}
		for uid := range uids {
			name := volumetypes.UniquePodName(uid)
			mounted, possibly := []string{}, []string{}
			for volume := range manager.GetMountedVolumesForPod(name) {
				mounted = append(mounted, volume)
			}
			for volume := range manager.GetPossiblyMountedVolumesForPod(name) {
				possibly = append(possibly, volume)
			}
			sort.Strings(mounted)
			sort.Strings(possibly)
			life.write("%s mounted %v, possibly %v", uid, mounted, possibly)
		}
		life.write("in use %v", manager.GetVolumesInUse())
	}
	life.lock.Lock()
	defer life.lock.Unlock()
	// What happens at one moment has no order.
	sort.Strings(life.lines)
	return append([]string{}, life.lines...), nil
}
