/**
 * Mistakes that the suites in this folder and the simulation must find; `npm run kube:mistakes` plants them one by one.
 * `from` stands exactly once in the file.
 */
export const mistakes = [
  {
    name: 'uid-translation-stays',
    why: 'a mirror that is gone is still translated',
    file: 'src/main/kubelet/pod/pod-manager.ts',
    from: '    this.#translationByUid.delete(mirrorUid)\n',
    to: '',
    suites: ['test/kube/oracle/pod-manager.test.ts'],
  },
  {
    name: 'static-pods-out-of-turn',
    why: 'the second static pod of a name starts before the one that came first',
    file: 'src/main/kubelet/workers/static-start.ts',
    from: 'if (next !== undefined && next !== uid) {',
    to: `if (next !== undefined && next === '') {`,
    suites: ['test/kube/oracle/pod-workers.test.ts'],
  },
  {
    name: 'guaranteed-pods-preempted-first',
    why: 'a critical pod takes the place of Guaranteed pods where Burstable ones would do',
    file: 'src/main/kubelet/preemption/pods-to-preempt.ts',
    from: 'remaining(requirements, [...bestEffort, ...burstable]),',
    to: 'requirements,',
    suites: ['test/kube/oracle/admission.test.ts'],
  },
  {
    name: 'end-told-too-early',
    why: 'a terminal phase is written while containers may still run',
    file: 'src/main/kubelet/status/merge-status.ts',
    from: 'const isWithheld = isEnding && couldHaveRunningContainers',
    to: 'const isWithheld = isEnding && !couldHaveRunningContainers',
    suites: ['test/kube/oracle/status-manager.test.ts'],
  },
  {
    name: 'precondition-ignored',
    why: 'the sandbox deletes an object of another UID',
    file: 'src/main/sandbox/delete-options.ts',
    from: "if (options.uid !== '' && options.uid !== metadata.uid) {",
    to: "if (options.uid === 'x') {",
    suites: ['test/kube/exchanges.test.ts'],
  },
  {
    name: 'mirror-deleted-with-grace',
    why: 'the mirror client asks for a graceful deletion',
    file: 'src/main/kubelet/pod/mirror-client.ts',
    from: 'gracePeriodSeconds: 0,',
    to: 'gracePeriodSeconds: 30,',
    suites: ['test/kube/integration.test.ts', 'test/kube/oracle/pod-manager.test.ts'],
  },
  {
    name: 'two-static-pods-at-once',
    why: 'a new version of a static pod starts while the one before it still stops',
    file: 'src/main/kubelet/workers/static-start.ts',
    from: 'if (holder !== undefined)\n',
    to: 'if (holder === uid)\n',
    suites: ['src/main/simulation/simulation.slow.test.ts'],
  },
  {
    name: 'phase-not-withheld',
    why: 'a terminal phase is written whether or not containers may still run',
    file: 'src/main/kubelet/status/merge-status.ts',
    from: 'const isWithheld = isEnding && couldHaveRunningContainers',
    to: 'const isWithheld = isEnding && couldHaveRunningContainers && next.phase === undefined',
    suites: ['src/main/simulation/simulation.slow.test.ts'],
  },
  {
    name: 'stale-mirror-stays',
    why: 'the mirror of an earlier version of a static pod is taken for its own',
    file: 'src/main/kubelet/pod/mirror-reconciler.ts',
    from: 'if (!isDeleting && isMirrorPodOf(mirror, pod)) return false',
    to: 'if (!isDeleting) return false',
    suites: ['src/main/simulation/simulation.slow.test.ts'],
  },
]
