import { common } from './common.ts'

export const manifests = {
  noFolder: 'This kubelet has no manifest folder',
  noFolderRule:
    'Static pods come from files in a folder that the kubelet watches. Started with --manifests FOLDER, Nodescope watches one.',
  noFiles: 'No manifests yet',
  noFilesRule:
    'Each file in this folder defines a static pod, which the kubelet runs without the API server. Add a file there, or start from a template here.',
  singleFile: 'The source is a single file, not a folder.',
  files: (count: number) => common.counted(count, 'file'),
  rejected: (count: number) => `, ${count} rejected`,
  copyFolder: 'Copy the path of the folder',
  undo: (change: string) => `Undo: ${change}`,
  add: 'Add manifest…',
  list: {
    label: 'Manifest files',
    changed: (time: string) => `changed ${time}`,
    onlyHere: 'only on this page',
    edited: 'edited',
    /** Where a problem is, as the beginning of its sentence. */
    place: (line: number | null, column: number | null) =>
      line === null ? '' : column === null ? `line ${line}: ` : `line ${line}, column ${column}: `,
  },
  states: {
    running: ['in config', 'Valid: its pod is in the kubelet’s config.'],
    rejected: ['rejected', 'Invalid: the kubelet ignores it.'],
    shadowed: ['shadowed', 'Another file defines the same pod and takes precedence.'],
    skipped: ['skipped', 'Not a manifest: the kubelet does not read it.'],
    waiting: ['waiting', 'Valid, not yet in the kubelet’s config.'],
    unsaved: ['not saved', 'Only on this page: the file is not saved yet.'],
  },
  file: {
    invalid: (name: string) => `${name} is not a valid Pod`,
    notSaved: 'not saved yet',
    savedAgo: (time: string) => `saved ${time} ago`,
    conflict: (name: string) => `${name} has changed on disk since you began`,
    conflictRule: 'It is not overwritten without your choice.',
    useDisk: 'Use the file on disk',
    keepMine: 'Keep my text',
    chooseFirst: 'Choose first which text to keep.',
    notSimulated: 'Not simulated',
    readOnly: (why: string) => `${why} The files can only be read here.`,
    noChanges: 'No changes to save.',
    saving: 'Saving: ',
    noEffect: 'no pod changes.',
    checking: 'Checking the manifest.',
    discard: 'Discard',
    save: 'Save',
    saveTitle: 'Save (Ctrl or Cmd S)',
    saveAnyway: 'Save anyway',
    remove: 'Remove…',
    edit: 'Edit here',
    restore: 'Restore last valid version',
  },
  addDialog: {
    title: 'Add a manifest',
    rule: 'It opens in the editor. The kubelet reads it when you save it.',
    template: 'Template',
    name: 'File name',
    podName: (pod: string) =>
      `The pod’s name is ${pod}. Its UID is a hash of the pod, of the node’s name and of the file’s path.`,
    open: 'Open in the editor',
    noName: 'A file needs a name.',
    dot: 'The kubelet ignores files whose name begins with a dot.',
    characters: 'A name cannot contain slashes or control characters.',
    tooLong: (most: number) => `A name has at most ${most} characters.`,
    taken: (name: string) => `${name} exists already.`,
  },
  removeDialog: {
    title: (name: string) => `Remove ${name}`,
    noPod: 'It defines no running pod, so nothing stops.',
    shadowed: (pod: string) => `Another file defines ${pod} and stays: nothing stops.`,
    rejected: (pod: string) =>
      `If ${pod} still runs from its last valid version, the kubelet stops it with its own grace period.`,
    stops: (pod: string) =>
      `The kubelet notices within a second (REMOVE). It stops ${pod} with its own grace period, then deletes its mirror.`,
    rule: 'kubectl cannot do this: deleting the mirror pod stops nothing; the kubelet recreates the mirror.',
    undo: 'Undo restores the file.',
    confirm: 'Remove the file',
  },
  invalidDialog: {
    title: (name: string) => `Save invalid ${name}?`,
    rule: 'The text stays in the editor either way.',
  },
  /** What happens to the running pod of a manifest that became invalid. */
  outcome: {
    title: 'What happens to the running pod',
    problems: (name: string) => `What is wrong with ${name}`,
    onDisk: (name: string) => `${name}, as it is on disk`,
    kept: 'The edit is invalid: the file source keeps the previous pod.',
    valid: (valid: number, all: number, pod: string) =>
      `${valid} of ${all} manifests valid; still there: ${pod}`,
    nothing: 'No pod runs from this file. Save a valid version and its pod starts within a second.',
    singleFile: (pod: string) =>
      `The source is one single file: while it is not valid it emits nothing, so ${pod} runs on.`,
    runs: (relistIn: number, isPaused: boolean) =>
      `That version keeps running until the next full scan of the folder, ${
        isPaused
          ? 'which waits while the clock is paused'
          : relistIn === 0
            ? 'which is due now'
            : `within ${relistIn} s`
      }. Save a valid file before then, and nothing stops.`,
    relist: (grace: number) =>
      `At the relist the file gives no pod. It is missing from the SET, so the pod is removed and stopped with ${grace} s grace.`,
    wasInvalid:
      'The edit was invalid, and the last valid version kept running until the next full scan.',
    wasRemoved: 'The full scan found no pod in the file: REMOVE from the file source.',
    stopping: (pod: string, killAt: string) =>
      `The worker stops ${pod}${killAt === '' ? '.' : `: SIGKILL at ${killAt} at the latest.`} If you save a valid manifest now, the pod starts again after the old one has stopped.`,
  },
  timeline: {
    spoken: (savedAgo: number, relist: string, kill: string) =>
      `saved ${savedAgo} s ago, relist ${relist}, SIGKILL at the latest ${kill}`,
    within: (seconds: number) => `within ${seconds} s`,
    later: (seconds: number) => `${seconds} s later`,
    ago: (seconds: number) => `${seconds} s ago`,
    runsOn: 'runs on',
    saved: 'saved',
    relist: 'relist',
    kill: 'SIGKILL at the latest',
    now: 'now',
    stops: (grace: number) => `REMOVE, TerminatingPod, ${grace} s grace`,
  },
  url: {
    label: 'Manifests from a URL',
    title: 'From a URL',
    noAnswer: 'no response yet',
    notPolled: 'not polled yet',
    polled: (ago: string, next: string) => `${ago} ago${next}`,
    nextPoll: (seconds: number) => `, again in ${seconds} s`,
    showMirror: 'Show its mirror',
    noPods: 'No pods.',
    rule: 'Edit it at its source; it is read-only here.',
  },
  templates: {
    web: ['Web server', 'A pod that runs and exits on SIGTERM.'],
    stubborn: ['Ignores SIGTERM', 'Uses the whole grace period, then SIGKILL: exit code 137.'],
    crash: [
      'Crash loop',
      'CrashLoopBackOff: 10 s, 20 s, 40 s, up to 5 minutes between the starts.',
    ],
    init: ['Init container', 'The main container starts only after the init container exits 0.'],
    pair: [
      'Two containers',
      'One of two fails periodically: the pod is 1/2 ready, and the other keeps running.',
    ],
  },
} as const
