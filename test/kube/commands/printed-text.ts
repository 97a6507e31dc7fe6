const uid = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g

/** Texts that differ in every run and on every server, and their replacements. */
const changing: readonly (readonly [RegExp, string])[] = [
  // The number of drain's retries depends on timing.
  [/^((?:evicting pod|error when evicting) .*\n)\1+/gm, '$1'],
  // The log of kubectl itself: I1122 01:35:27.123456    4711 helpers.go:1
  [/^([EWI])\d{4} [\d:.]+ +\d+ \w+\.go:\d+\]/gm, '$1 log]'],
  // What kubectl still sends to a command that has ended depends on timing.
  [/^[EW] log\] .*(\bEOF\b|close sent).*\n/gm, ''],
  // Whether a watch that is given up logs so depends on which of two ends its reflector sees first.
  [/^[EWI] log\] .*( reflector=|: Failed to watch ).*\n/gm, ''],
  // The first message of a server is empty; kubectl may read it before it has made its streams.
  [/^E log\] Unknown stream id \d+, discarding message\n/gm, ''],
  [/\b[\da-f]{64}\b/g, 'an id'],
  [/\bcni-[\da-f-]+/g, 'a network namespace'],
  [/(127\.0\.0\.1|\[::1\]):\d+ ->/g, '$1:port ->'],
  [/\b\d+ -> (?=\d)/g, 'port -> '],
  [/(Handling connection for )\d+/g, '$1port'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'a time'],
  [/\b\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, 'a time'],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)? [+-]\d{4}/g, 'a time'],
  // Random, and signed with a key of the server.
  [/\b10\.96\.[1-9]\d*\.\d+\b/g, 'a cluster IP'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'a token'],
  [/(resourceVersion"?: ?)"\d+"/g, '$1"a version"'],
  [/(Resource Version: +)\d+/g, '$1a version'],
  [/\/tmp\/(LIVE|MERGED|kubectl)(?:[.\d]*-edit)?-\d+/g, '/tmp/$1'],
  // Hashes of templates that have a time in them, then the random end of a generated name.
  [/(pod-template-hash(?:=|: +))[a-z\d]+/g, '$1a-hash'],
  [/-[bcdf-hj-np-tv-xz2456789]{8,10}(?![a-z\d])/g, '-#'],
  [/-[bcdf-hj-np-tv-xz2456789]{5}(?![a-z\d-])/g, '-*'],
  [/\b10\.1\.\d+\.\d+\b/g, 'a pod IP'],
  [/:3\d{4}(?=\/(?:TCP|UDP)\b)/g, ':a node port'],
  // An age depends on the time of the command. `for 300s` is not an age but a toleration.
  [/(?<![\w.=-])(?<!for )(?=\d)(\d+y)?(\d+d)?(\d+h)?(\d+m)?(\d+s)?(?![\w.=:/-])/g, 'an age'],
  // The width of a column depends on its contents; the indentation of a line is kept.
  [/(?<=\S) {2,}/g, '  '],
  [/ +$/gm, ''],
]

/** Makes what kubectl printed on two servers comparable; uids are numbered in the order in which they come. */
export class PrintedText {
  readonly #url: string
  readonly #uids = new Map<string, string>()

  constructor(url: string) {
    this.#url = url
  }

  of(text: string): string {
    const host = new URL(this.#url).host
    const named = text
      .replaceAll(this.#url, 'https://server')
      .replaceAll(host, 'server')
      .replaceAll(uid, (found) => this.#uid(found))
    return changing.reduce((rest, [pattern, word]) => rest.replaceAll(pattern, word), named)
  }

  #uid(found: string): string {
    const known = this.#uids.get(found) ?? `uid ${this.#uids.size + 1}`
    this.#uids.set(found, known)
    return known
  }
}

/** `get pods -o 'jsonpath={.a b}'` in words. */
export function wordsOf(line: string): readonly string[] {
  const words = line.match(/(?:[^\s']|'[^']*')+/g) ?? []
  return words.map((word) => word.replaceAll("'", ''))
}
