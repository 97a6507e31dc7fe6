/**
 * The program's own arguments. Unpackaged, Electron's switches and the app's folder stand before
 * them; packaged, the executable is the app.
 */
export function programArguments(argv: readonly string[], isPackaged: boolean): readonly string[] {
  const rest = argv.slice(1)
  if (isPackaged) return rest
  const app = rest.findIndex((argument) => !argument.startsWith('-'))
  return app === -1 ? [] : rest.slice(app + 1)
}
