/**
 * The files that ship with the program. Names use forward slashes and are relative to the shipped folder:
 * `scenarios/first-run.yaml`. Both calls reject if a file or folder is missing.
 */
export interface Assets {
  /** Names of the files in a shipped folder (not of its subfolders), sorted. */
  readonly list: (folder: string) => Promise<readonly string[]>
  readonly readText: (name: string) => Promise<string>
}
