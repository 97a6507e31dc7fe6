/** Why a session cannot start: one sentence, and the exit code of the program. */
export interface StartError {
  readonly exitCode: number
  readonly message: string
}
