/** Why nothing may be changed from a program that was started with --read-only. */
export const startedReadOnly = 'Nodescope was started with --read-only: it shows and does not act.'

/** Why nothing can be done in a recording. */
export const recordingIsPast = 'This is a recording: what happened in it cannot be changed.'

/** Why nothing may be changed in a cluster that was opened to look at it. Pure. */
export function onlyLookedAt(cluster: string): string {
  return `${cluster} is read-only here: allow changes first (Shift A).`
}
