export const acts = {
  lost: 'The page lost its connection to Nodescope; actions are unavailable until it reconnects.',
  isRecreated: 'The kubelet recreates it.',
  isFinal: 'Cannot be undone.',
  podGone: 'This pod no longer exists.',
  loading: 'Loading the pod from the kubelet.',
  container: (container: string, pod: string) => `${container} of ${pod}`,
  grace: {
    label: 'Grace ',
    inSeconds: 'in seconds',
    unit: 's',
    common: 'Common grace periods',
    fromSpec: (seconds: number) => `${seconds} from spec`,
    rule: '0 is treated as 1 s; SIGKILL comes after 2 s at the earliest',
    runtimeRule: '0 is SIGKILL at once; the runtime has no minimum',
    invalid: (most: number) => `Not a grace period: type whole seconds from 0 to ${most}`,
  },
  mirror: {
    how: 'How',
    howLabel: 'How to delete it',
    delete: 'Delete',
    force: 'Force, grace 0',
    rule: 'by force, the mirror is missing for up to 91 s',
  },
  forecast: {
    /** No zeros after the point. */
    seconds: (seconds: number) => `${Number(seconds.toFixed(1))} s`,
    outcome: (stays: string, outcome: string) => `${stays} In the end: ${outcome}.`,
    mark: (label: string, time: string) => `${label} at ${time}`,
    axis: (marks: readonly string[], outcome: string) =>
      `You click, then ${marks.join(', ')}; ${outcome}`,
    earlier: 'may end here at any moment',
    lane: (label: string, spans: readonly string[]) => `${label}: ${spans.join(', then ')}`,
    lanes: (lanes: readonly string[]) => `You click, then ${lanes.join('; ')}`,
    click: 'you click',
    atMost: (time: string) => `at most ${time}`,
  },
}
