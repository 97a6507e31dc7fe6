import type { ReactNode } from 'react'
import { useAppState } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'

/** Shows or hides the answer of an exhibit, in the list and above its cluster alike. */
export function RevealButton({ id }: { readonly id: string }): ReactNode {
  const isRevealed = useAppState((state) => state.revealedExhibits.has(id))
  const setRevealed = useAppState((state) => state.setExhibitRevealed)
  return (
    <Button isExpanded={isRevealed} onClick={() => setRevealed(id, !isRevealed)}>
      {isRevealed ? 'Hide answer' : 'Reveal'}
    </Button>
  )
}
