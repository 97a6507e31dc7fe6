/** Claims that no scenario shows, by the gotcha's id or the forecast's act: why not. */
export const unshownGotchas: Readonly<Record<string, string>> = {
  'killed-stays-down':
    'a kubelet evicts and preempts no static pod, and it offers no call that kills one',
  'resize-below-the-use':
    'in-place resize is off in the kubelet of the tests, which has no cgroups; the oracle compares it',
  'shutdown-ends-pods': 'a graceful shutdown needs logind, which tests without root do not have',
}

export const unshownActs: Readonly<Record<string, string>> = {
  kill: 'a kubelet offers no call that kills a pod',
  shutDown: 'a graceful shutdown needs logind, which tests without root do not have',
  cancelShutDown: 'a graceful shutdown needs logind, which tests without root do not have',
  powerOff: 'the simulated machine loses its containers, whatever the kubelet does',
  runtimeDown: 'the scenario runtime-away compares it, with all calls and events',
  runtimeAnswers: 'the scenario runtime-away compares it, with all calls and events',
  runtimeHangs: 'no CRI server of the tests takes calls without an answer',
  failCall:
    'no CRI server of the tests fails one call; the oracle compares failing calls (kuberuntime)',
  callsAnswer: 'no CRI server of the tests fails one call',
  fillDisk: 'the manager of image garbage collection is asked by the oracle',
  freeDisk: 'the manager of image garbage collection is asked by the oracle',
  slowMounts: 'volumes of a real kubelet are folders of the machine of the test, which is not slow',
  usualMounts:
    'volumes of a real kubelet are folders of the machine of the test, which is not slow',
}
