import type { ReactNode, RefObject } from 'react'
import { useMemo, useRef, useState } from 'react'
import { shownCluster, flowNode } from '../../store/shown-node.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { merged } from '../../store/use-observed.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { ChooseNode } from '../../ui/ChooseNode.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useSize } from '../../ui/use-width.ts'
import { useMedia } from './arrows/motion.ts'
import { ArrowList, LastMove } from './arrows/ScreenReaderTexts.tsx'
import { FlowBoard } from './board/flow-board.ts'
import { copyPicture } from './copy-picture.ts'
import {
  FlowProvider,
  useFlow,
  useFlowPlace,
  useFrozenReason,
  useIsFlowKnown,
  useIsLogged,
} from './flow-context.ts'
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

interface PictureRef {
  readonly picture: RefObject<SVGSVGElement | null>
}

/** The picture, as large as its room lets it be, and the panel that is open over it. */
function Canvas({ picture }: PictureRef): ReactNode {
  const { steps } = useFollowed()
  const place = useFlowPlace()
  const { tables, open } = place
  const step = steps.find(({ number }) => stepId(number) === open)
  const row = tables.parts.find(({ id }) => id === open)
  const [room, setRoom] = useState<HTMLDivElement | null>(null)
  const { width, height } = useSize(room)
  const layout = useMemo(
    () => layoutOf(width === 0 ? Infinity : (height / width) * pictureWidth, tables),
    [tables, width, height],
  )
  const sized = useMemo(() => ({ ...place, layout }), [place, layout])
  const ratio = pictureWidth / layout.height
  const canvasWidth = width === 0 ? '100%' : Math.floor(Math.min(width, height * ratio))
  return (
    <div ref={setRoom} className={styles['room']}>
      <FlowProvider value={sized}>
        <div className={styles['canvas']} style={{ width: canvasWidth, aspectRatio: ratio }}>
          <Picture ref={picture} />
          {row === undefined ? null : <PartPanel key={open} part={row} />}
          {step === undefined ? null : <StepPanel key={open} step={step} />}
        </div>
      </FlowProvider>
    </div>
  )
}

function CopyPicture({ picture }: PictureRef): ReactNode {
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
  const isInferred = useFlow(({ arrows }) => arrows.some(({ sight }) => sight !== 'recorded'))
  const isLogged = useIsLogged()
  const frozen = useFrozenReason()
  const picture = useRef<SVGSVGElement>(null)
  return (
    <div ref={setView} className={classNames(styles['view'], isNarrow && styles['narrow'])}>
      <div className={styles['head']}>
        <h1>{text.flow.title}</h1>
        <p>{text.flow.subtitle({ isKnown, frozen, isInferred: isInferred === true, isLogged })}</p>
        <FollowBar />
        {isNarrow ? null : <CopyPicture picture={picture} />}
      </div>
      {isNarrow ? (
        <PartList />
      ) : (
        <>
          <Canvas picture={picture} />
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
  const node = useAppState((state) => flowNode(state)?.name ?? '')
  const [open, setOpen] = useState<string | null>(null)
  const closed = useMemo(() => {
    const board = new FlowBoard(rows, { cluster, node })
    const layout = layoutOf(Infinity, tables)
    return { cluster, node, tables, board, layout, changes: merged(flow, board, clocks) }
  }, [rows, flow, clocks, cluster, node, tables])
  const place = useMemo(() => {
    const toggle = (id: string): void => setOpen(open === id ? null : id)
    const close = (): void => {
      document.querySelector<SVGElement>(`[data-part='${open ?? ''}']`)?.focus()
      setOpen(null)
    }
    return { ...closed, open, toggle, close }
  }, [closed, open])
  return (
    <FlowProvider value={place}>
      <Following>
        {node === '' ? <ChooseNode meaning={text.flow.chooseMeaning} /> : <View />}
      </Following>
    </FlowProvider>
  )
}
