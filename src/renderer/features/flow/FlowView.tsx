import type { ReactNode, RefObject } from 'react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { shownCluster, shownNode } from '../../store/shown-node.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { merged } from '../../store/use-observed.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useSize } from '../../ui/use-width.ts'
import { useMedia } from './arrows/motion.ts'
import { ArrowList, LastMove } from './arrows/ScreenReaderTexts.tsx'
import { FlowBoard } from './board/flow-board.ts'
import { copyPicture } from './copy-picture.ts'
import { FlowProvider, useFlowPlace, useFrozenReason, useIsFlowKnown } from './flow-context.ts'
import styles from './FlowView.module.css'
import { FollowBar } from './follow/FollowBar.tsx'
import { FollowedProvider, useFollowed, useFollowedOfStore } from './follow/followed.ts'
import { stepId } from './follow/steps.ts'
import type { FlowTables } from './layout/flow-tables.ts'
import { flowTables } from './layout/flow-tables.ts'
import { layoutOf, pictureWidth } from './layout/layout.ts'
import { PartList } from './lists/PartList.tsx'
import { PartPanel, StepPanel } from './lists/PartPanel.tsx'
import { Picture } from './Picture.tsx'

/** In a narrower window, or in less room next to open panels (px), the picture's letters could not be read: a list instead. */
const narrow = '(max-width: 960px)'
const leastWidth = 680

interface CanvasProps {
  /** The id of the open part or step. */
  readonly open: string | null
  readonly onOpen: (id: string) => void
  readonly onClose: () => void
  readonly picture: RefObject<SVGSVGElement | null>
}

/** The picture, as large as its room lets it be, and the panel that is open over it. */
function Canvas({ open, onOpen, onClose, picture }: CanvasProps): ReactNode {
  const { steps } = useFollowed()
  const step = steps.find(({ number }) => stepId(number) === open)
  const place = useFlowPlace()
  const { tables } = place
  const row = tables.parts.find(({ id }) => id === open)
  const [room, setRoom] = useState<HTMLDivElement | null>(null)
  const { width, height } = useSize(room)
  const sized = useMemo(() => {
    const wanted = width === 0 ? Infinity : (height / width) * pictureWidth
    return { ...place, layout: layoutOf(wanted, tables) }
  }, [place, tables, width, height])
  const ratio = pictureWidth / sized.layout.height
  const canvasWidth = width === 0 ? '100%' : Math.floor(Math.min(width, height * ratio))
  return (
    <div ref={setRoom} className={styles['room']}>
      <FlowProvider value={sized}>
        <div className={styles['canvas']} style={{ width: canvasWidth, aspectRatio: ratio }}>
          <Picture ref={picture} open={open} onOpen={onOpen} />
          {row === undefined ? null : <PartPanel key={row.id} part={row} onClose={onClose} />}
          {step === undefined ? null : <StepPanel key={open} step={step} onClose={onClose} />}
        </div>
      </FlowProvider>
    </div>
  )
}

function CopyPicture({ picture }: Pick<CanvasProps, 'picture'>): ReactNode {
  const addToast = useAppState((state) => state.addToast)
  const mayDownload = useAppState(({ program }) => program?.host !== 'electron')
  const copy = (): void => {
    const svg = picture.current
    if (svg === null) return
    void copyPicture(svg, { mayDownload }).then((outcome) => addToast(text.flow.copied[outcome]))
  }
  return (
    <Button icon="copy" onClick={copy}>
      {text.flow.copy}
    </Button>
  )
}

function View(): ReactNode {
  const [view, setView] = useState<HTMLDivElement | null>(null)
  const { width } = useSize(view)
  const isNarrowWindow = useMedia(narrow)
  const isNarrow = isNarrowWindow || (width > 0 && width < leastWidth)
  const isKnown = useIsFlowKnown()
  const frozen = useFrozenReason()
  const [open, setOpen] = useState<string | null>(null)
  const picture = useRef<SVGSVGElement>(null)
  const toggle = useCallback((id: string) => setOpen((before) => (before === id ? null : id)), [])
  const close = useCallback(() => {
    setOpen((before) => {
      view?.querySelector<SVGElement>(`[data-part='${before ?? ''}']`)?.focus()
      return null
    })
  }, [view])
  return (
    <div ref={setView} className={classNames(styles['view'], isNarrow && styles['narrow'])}>
      <div className={styles['head']}>
        <h1>{text.flow.title}</h1>
        <p>{text.flow.subtitle(isKnown, frozen)}</p>
        <span className={styles['grow']} />
        <FollowBar />
        {isNarrow ? null : <CopyPicture picture={picture} />}
      </div>
      {isNarrow ? (
        <PartList open={open} onOpen={toggle} />
      ) : (
        <>
          <Canvas open={open} onOpen={toggle} onClose={close} picture={picture} />
          <ArrowList />
        </>
      )}
      <LastMove />
    </div>
  )
}

function Following({ children }: { readonly children: ReactNode }): ReactNode {
  return <FollowedProvider value={useFollowedOfStore()}>{children}</FollowedProvider>
}

/** The kubelet as a picture: what each part holds, and what just moved along which arrow. */
export function FlowView({ tables = flowTables }: { readonly tables?: FlowTables }): ReactNode {
  const { rows, flow, clocks } = useStore()
  const cluster = useAppState((state) => shownCluster(state)?.id ?? '')
  const node = useAppState((state) => shownNode(state)?.name ?? '')
  const place = useMemo(() => {
    const board = new FlowBoard(rows, { cluster, node })
    const changes = merged(flow, board, clocks)
    return { cluster, node, tables, board, changes, layout: layoutOf(Infinity, tables) }
  }, [rows, flow, clocks, cluster, node, tables])
  return (
    <FlowProvider value={place}>
      <Following>
        <View />
      </Following>
    </FlowProvider>
  )
}
