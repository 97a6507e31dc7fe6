/** The strip above every view of a recording. */
export const recording = {
  label: (file: string) => `Recording ${file}`,
  scrubber: 'Moment of the recording',
  of: (at: string, to: string) => `${at} of ${to}`,
  facts: (version: string, recordedAt: string) =>
    `Recorded on ${recordedAt} by Nodescope ${version}. Nothing in it can be changed.`,
  incomplete: 'It has no end: the program was killed, or its disk was full.',
  dropped: (lines: number) => `${lines} lines are missing: its disk was too slow.`,
  oldSchema:
    'It was made by an older version, which recorded rows and events only: the drawer and the nodes are empty.',
  start: 'To the start',
  recorder: {
    label: 'Recording of this cluster',
    running: (time: string) => `Recording since ${time} to`,
    ended: 'Recorded to',
    stopIt: 'Stop',
    openIt: 'Open recording',
    start: (cluster: string) => `Record ${cluster}`,
    stop: (cluster: string) => `Stop recording ${cluster}`,
    open: (cluster: string) => `Open the recording of ${cluster}`,
    noCluster: 'No open cluster',
    notRecorded: (cluster: string) =>
      `${cluster} cannot be recorded. First show a sandbox, a joined node or a cluster of a kubeconfig.`,
    notRunning: (cluster: string) => `${cluster} is not being recorded.`,
    nothingToOpen: (cluster: string) => `${cluster} has no recording yet. Record it first.`,
  },
} as const
