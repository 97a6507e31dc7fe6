import type { ReactNode } from 'react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { flowArrows } from '../../../shared/model/flow.ts'
import { shownCluster, shownNode } from '../../store/shown-node.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { arrowLooks } from './arrows.ts'
import { copyPicture } from './copy-picture.ts'
import { FlowBoard } from './flow-board.ts'
import { FlowProvider, useFlow } from './flow-context.ts'
import styles from './FlowView.module.css'
import { FollowBar } from './FollowBar.tsx'
import { FollowedProvider, useFollowedContext } from './followed-context.ts'
import { useFollowed } from './follow.ts'
import { Hits } from './Hits.tsx'
import { layoutOf, LayoutProvider, pictureWidth, tallest } from './layout.ts'
import { useMedia } from './motion.ts'
import { PartList } from './PartList.tsx'
import { PartPanel, StepPanel } from './PartPanel.tsx'
import type { FlowPart } from './parts.ts'
import { isSource } from './parts.ts'
import { Picture } from './Picture.tsx'
import { useSize } from '../../ui/use-width.ts'
import { useStandstill } from './standstill.ts'
import { SpokenArrows, SpokenMoves } from './Spoken.tsx'

/** Below this there is no picture whose letters could be read. */
const narrow = '(max-width: 960px)'

/** In px: smaller, its letters could not be read; then it pans. */
const leastWidth = 885

function useKnownArrows(): readonly (typeof flowArrows)[number][] {
  const sources = useAppState((state) => shownNode(state)?.sources)
  return useMemo(() => {
    const known = new Set(sources?.map(({ source }) => source))
    return flowArrows.filter((arrow) => {
      const { from, to } = arrowLooks[arrow]
      return [from, to].every((part) => !isSource(part) || known.has(part))
    })
  }, [sources])
}

function Canvas({
  open,
  onOpen,
  onClose,
  picture,
}: {
  readonly open: FlowPart | null
  readonly onOpen: (part: FlowPart) => void
  readonly onClose: () => void
  readonly picture: React.RefObject<SVGSVGElement | null>
}): ReactNode {
  const { steps } = useFollowedContext()
  const [stepNumber, setStep] = useState<number | null>(null)
  const step = steps.find(({ number }) => number === stepNumber)
  const closeStep = useCallback(() => {
    setStep((before) => {
      document.querySelector<HTMLElement>(`[data-step='${before ?? ''}']`)?.focus()
      return null
    })
  }, [])
  const [room, setRoom] = useState<HTMLDivElement | null>(null)
  const { width, height } = useSize(room)
  const layout = useMemo(
    () => layoutOf(width === 0 ? tallest : (height / width) * pictureWidth),
    [width, height],
  )
  const canvasWidth =
    width === 0
      ? '100%'
      : Math.max(leastWidth, Math.floor(Math.min(width, (height * pictureWidth) / layout.height)))
  return (
    <div ref={setRoom} className={styles['room']}>
      <LayoutProvider value={layout}>
        <div
          className={styles['canvas']}
          style={{ width: canvasWidth, aspectRatio: pictureWidth / layout.height }}
        >
          <Picture ref={picture} />
          <Hits
            open={open}
            onOpen={(part) => {
              setStep(null)
              onOpen(part)
            }}
            onOpenStep={(number) => {
              if (open !== null) onClose()
              setStep(number)
            }}
          />
          {open === null ? null : <PartPanel key={open} part={open} onClose={onClose} />}
          {step === undefined ? null : (
            <StepPanel key={step.number} step={step} onClose={closeStep} />
          )}
        </div>
      </LayoutProvider>
    </div>
  )
}

const copyOutcomes = {
  copied: 'Picture copied',
  downloaded: 'This browser cannot copy pictures; downloaded as nodescope-flow.svg',
  refused: 'This browser cannot copy pictures',
} as const

function CopyPicture({
  picture,
}: {
  readonly picture: React.RefObject<SVGSVGElement | null>
}): ReactNode {
  const addToast = useAppState((state) => state.addToast)
  const mayDownload = useAppState(({ program }) => program?.host !== 'electron')
  const copy = (): void => {
    const svg = picture.current
    if (svg === null) return
    void copyPicture(svg, { mayDownload }).then((outcome) => {
      addToast(copyOutcomes[outcome])
    })
  }
  return (
    <Button icon="copy" onClick={copy}>
      Copy picture
    </Button>
  )
}

function headSentence(isKnown: boolean, standstill: string): string {
  if (standstill !== '') return standstill
  return isKnown ? 'The kubelet, part by part' : 'Loading'
}

function Loaded(): ReactNode {
  const isNarrow = useMedia(narrow)
  const isKnown = useFlow(() => true) ?? false
  const standstill = useStandstill()
  const [open, setOpen] = useState<FlowPart | null>(null)
  const picture = useRef<SVGSVGElement>(null)
  const view = useRef<HTMLDivElement>(null)
  const arrows = useKnownArrows()
  const toggle = useCallback(
    (part: FlowPart) => setOpen((before) => (before === part ? null : part)),
    [],
  )
  const close = useCallback(() => {
    setOpen((before) => {
      view.current?.querySelector<HTMLElement>(`[data-part='${before ?? ''}']`)?.focus()
      return null
    })
  }, [])
  return (
    <div ref={view} className={styles['view']}>
      <div className={styles['head']}>
        <h1>Flow</h1>
        <p>{headSentence(isKnown, standstill)}</p>
        <span className={styles['grow']} />
        <FollowBar />
        {isNarrow ? null : <CopyPicture picture={picture} />}
      </div>
      {isNarrow ? (
        <PartList open={open} onOpen={toggle} />
      ) : (
        <>
          <Canvas open={open} onOpen={toggle} onClose={close} picture={picture} />
          <SpokenArrows arrows={arrows} />
        </>
      )}
      <SpokenMoves />
    </div>
  )
}

function Followed({ children }: { readonly children: ReactNode }): ReactNode {
  return <FollowedProvider value={useFollowed()}>{children}</FollowedProvider>
}

/** The kubelet drawn as it is: what each part holds, and what just moved along which arrow. */
export function FlowView(): ReactNode {
  const { rows } = useStore()
  const cluster = useAppState((state) => shownCluster(state)?.id ?? '')
  const node = useAppState((state) => shownNode(state)?.name ?? '')
  const place = useMemo(
    () => ({ cluster, node, board: new FlowBoard({ rows, cluster, node }) }),
    [rows, cluster, node],
  )
  return (
    <FlowProvider value={place}>
      <Followed>
        <Loaded />
      </Followed>
    </FlowProvider>
  )
}
