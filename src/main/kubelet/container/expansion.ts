/** Characters that the environment, the command and the arguments of one container may have; Linux takes no more (`execve`: E2BIG). */
export const maxExpandedLength = 2 * 1024 * 1024

/** By name. */
type VariableValues = Pick<ReadonlyMap<string, string>, 'get'>

export const tooLongMessage = `environment, command and arguments are longer than ${maxExpandedLength} characters once variables are expanded`

/** More than `maxExpandedLength`: variables that name each other double with every line. */
export class ExpansionTooLong extends Error {}

/**
 * Replaces `$(NAME)` by its value. An unknown name stays as it is written, `$$` makes one `$`, so that
 * `$$(NAME)` is never replaced. Source: Kubernetes' expansion (third_party/forked/golang/expansion).
 * One expander serves one container, and throws `ExpansionTooLong` once all its results are too long.
 */
export class VariableExpander {
  readonly #values: VariableValues
  #length = 0

  constructor(values: VariableValues) {
    this.#values = values
  }

  readonly expand = (text: string): string => {
    // Where the last name ends; before it each has an end.
    const lastEnd = text.lastIndexOf(')')
    let expanded = ''
    let read = 0
    for (let at = text.indexOf('$'); at !== -1; at = text.indexOf('$', read)) {
      expanded += this.#counted(text.slice(read, at))
      const follows = text[at + 1]
      if (follows === '(' && at < lastEnd) {
        read = text.indexOf(')', at) + 1
        const written = text.slice(at, read)
        expanded += this.#counted(this.#values.get(written.slice(2, -1)) ?? written)
      } else {
        read = at + (follows === '$' ? 2 : 1)
        expanded += this.#counted('$')
      }
    }
    return expanded + this.#counted(text.slice(read))
  }

  #counted(part: string): string {
    this.#length += part.length
    if (this.#length > maxExpandedLength) throw new ExpansionTooLong()
    return part
  }
}
