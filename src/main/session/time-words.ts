/** `14:02:52`, as the page writes times. `at` in ms since the epoch. */
export function timeOfDay(at: number): string {
  return new Date(at).toISOString().slice(11, 19)
}

/** A message of the server or the kubelet as part of a sentence: without its full stop. */
export function clause(message: string): string {
  return message.replace(/\.+$/, '')
}
