import type { ReactNode } from 'react'
import { text } from '../../text/text.ts'
import { Note } from '../Note.tsx'

/** Why the act is refused before it is asked for, and why it failed; each empty if not. `reason`: the id of the first. */
export function ActDialogNotes({
  refusal,
  reason,
  problem,
}: {
  readonly refusal: string
  readonly reason: string
  readonly problem: string
}): ReactNode {
  return (
    <>
      {refusal === '' ? null : (
        <Note variant="error" icon="shield" id={reason}>
          <h3>{text.common.refused}</h3>
          <p>{refusal}</p>
        </Note>
      )}
      {problem === '' ? null : (
        <Note variant="error" icon="error" isAlert>
          <p>{problem}</p>
        </Note>
      )}
    </>
  )
}
