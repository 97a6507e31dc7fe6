import type { ReactNode } from 'react'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'

/** Shows or hides the answer of a gotcha, both in the list and above its cluster. */
export function RevealButton({ id }: { readonly id: string }): ReactNode {
  const isRevealed = useAppState((state) => state.revealedGotchas.has(id))
  const setRevealed = useAppState((state) => state.setGotchaRevealed)
  return (
    <Button isExpanded={isRevealed} onClick={() => setRevealed(id, !isRevealed)}>
      {isRevealed ? text.gotchas.hideAnswer : text.gotchas.reveal}
    </Button>
  )
}
