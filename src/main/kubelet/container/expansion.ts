/**
 * Replaces `$(NAME)` by its value. An unknown name stays as it is written, `$$` makes one `$`, so that
 * `$$(NAME)` is never replaced. Source: Kubernetes' expansion (third_party/forked/golang/expansion).
 */
export function expandVariables(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(/\$(?:\$|\(([^)]*)\))/g, (whole, name: string | undefined) =>
    name === undefined ? '$' : (values.get(name) ?? whole),
  )
}
