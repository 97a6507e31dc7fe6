import type { ReactNode } from 'react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { shownCluster, shownNode } from '../../store/shown-node.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { copyPicture } from './copy-picture.ts'
import { FlowBoard } from './board/flow-board.ts'
import { FlowProvider, useFlow, useFlowPlace } from './flow-context.ts'
import styles from './FlowView.module.css'
import { FollowBar } from './follow/FollowBar.tsx'
import { FollowedProvider, useFollowedContext } from './follow/followed-context.ts'
import { useFollowed } from './follow/follow.ts'
import type { FlowTables } from './layout/flow-tables.ts'
import { flowTables } from './layout/flow-tables.ts'
import { LayoutProvider } from './layout/layout-context.ts'
import { layoutOf, pictureWidth } from './layout/layout.ts'
import { useMedia } from './arrows/motion.ts'
import { PartList } from './lists/PartList.tsx'
import { PartPanel, StepPanel } from './lists/PartPanel.tsx'
import { Picture } from './Picture.tsx'
import { useSize } from '../../ui/use-width.ts'
import { useStandstill } from './standstill.ts'
import { SpokenArrows, SpokenMoves } from './arrows/Spoken.tsx'

/** Below this there is no picture whose letters could be read. */
const narrow = '(max-width: 960px)'

/** In px: smaller, its letters could not be read; then it pans. */
const leastWidth = 885

function Canvas({
  open,
  onOpen,
  onClose,
  picture,
}: {
  readonly open: string | null
  readonly onOpen: (part: string) => void
  readonly onClose: () => void
  readonly picture: React.RefObject<SVGSVGElement | null>
}): ReactNode {
  const { steps } = useFollowedContext()
  const [stepNumber, setStep] = useState<number | null>(null)
  const step = steps.find(({ number }) => number === stepNumber)
  const closeStep = useCallback(() => {
    setStep((before) => {
      document.querySelector<SVGElement>(`[data-step='${before ?? ''}']`)?.focus()
      return null
    })
  }, [])
  const { tables } = useFlowPlace()
  const row = tables.parts.find(({ id }) => id === open)
  const [room, setRoom] = useState<HTMLDivElement | null>(null)
  const { width, height } = useSize(room)
  const layout = useMemo(
    () => layoutOf(width === 0 ? Infinity : (height / width) * pictureWidth, tables),
    [tables, width, height],
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
          <Picture
            ref={picture}
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
          {row === undefined ? null : <PartPanel key={row.id} part={row} onClose={onClose} />}
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
  const [open, setOpen] = useState<string | null>(null)
  const picture = useRef<SVGSVGElement>(null)
  const view = useRef<HTMLDivElement>(null)
  const toggle = useCallback(
    (part: string) => setOpen((before) => (before === part ? null : part)),
    [],
  )
  const close = useCallback(() => {
    setOpen((before) => {
      view.current?.querySelector<SVGElement>(`[data-part='${before ?? ''}']`)?.focus()
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
          <SpokenArrows />
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
export function FlowView({ tables = flowTables }: { readonly tables?: FlowTables }): ReactNode {
  const { rows } = useStore()
  const cluster = useAppState((state) => shownCluster(state)?.id ?? '')
  const node = useAppState((state) => shownNode(state)?.name ?? '')
  const place = useMemo(
    () => ({ cluster, node, tables, board: new FlowBoard({ rows, cluster, node }) }),
    [rows, cluster, node, tables],
  )
  return (
    <FlowProvider value={place}>
      <Followed>
        <Loaded />
      </Followed>
    </FlowProvider>
  )
}
