import { createContext, useContext } from 'react'
import type { FlowArrow } from '../../../shared/model/flow.ts'
import type { Lane, LaneName, Token } from './board.ts'
import type { Box, FlowPart } from './parts.ts'

interface Point {
  readonly x: number
  readonly y: number
}

/** Where an arrow and what belongs to it are drawn. */
export interface ArrowPlace {
  readonly path: string
  /** Where its number in a followed cause stands. */
  readonly badge: Point
  /** Where the count of the last minute stands; null where a part already shows it. */
  readonly count: (Point & { readonly anchor: 'start' | 'middle' | 'end' }) | null
}

/** The picture is always as wide; a low window takes rows, gaps and air from its height. In its own units. */
export const pictureWidth = 1264
export const tallest = 760
export const lowest = 668

/** Where everything in the picture stands, in its own units. */
export interface Layout {
  readonly height: number
  readonly parts: Readonly<Record<FlowPart, Box>>
  /** The kubelet's frame, around all but the API server and the runtime. */
  readonly frame: Box
  /** The middle of the sync loop, through which the way from the sources to the workers runs. */
  readonly loop: Point
  /** Base lines of the words between the API server and the kubelet, and of those above the runtime. */
  readonly callsY: number
  readonly runtimeWordsY: number
  readonly laneY: number
  readonly laneHeight: number
  readonly legendY: number
  readonly legendLine: number
  readonly arrows: Readonly<Record<FlowArrow, ArrowPlace>>
}

function arrowPlaces(
  parts: Readonly<Record<FlowPart, Box>>,
  {
    callsY,
    runtimeWordsY,
    laneY,
    laneHeight,
  }: Pick<Layout, 'callsY' | 'runtimeWordsY' | 'laneY' | 'laneHeight'>,
): Readonly<Record<FlowArrow, ArrowPlace>> {
  const bottom = (part: FlowPart): number => parts[part].y + parts[part].height
  const middle = (part: FlowPart): number => parts[part].y + parts[part].height / 2
  const loopY = middle('syncLoop')
  const api = middle('api')
  const http = middle('http')
  const between = (one: number, other: number): number => (one + other) / 2
  const managers = bottom('podManager')
  const workers = parts.podWorkers.y
  const up = (x: number, part: FlowPart): ArrowPlace => ({
    path: `M${x} ${parts[part].y}V${bottom('apiServer') + 4}`,
    badge: { x, y: callsY + 20 },
    count: null,
  })
  const toManager = (x: number): ArrowPlace => ({
    path: `M${x} ${workers}V${managers + 4}`,
    badge: { x, y: between(workers, managers) + 4 },
    count: { x: x + 20, y: between(workers, managers) + 6, anchor: 'start' },
  })
  const toRuntime = (x: number): ArrowPlace => ({
    path: `M${x} ${bottom('podWorkers')}V${parts.runtime.y - 4}`,
    badge: { x, y: runtimeWordsY - 4 },
    count: { x: x - 20, y: runtimeWordsY, anchor: 'end' },
  })
  const turn = laneY + laneHeight - recreatedHeight(laneHeight) / 2
  return {
    'apiServer-api': {
      path: `M124 ${bottom('apiServer')}V${parts.api.y - 4}`,
      badge: { x: 124, y: parts.api.y - 42 },
      count: { x: 104, y: parts.api.y - 16, anchor: 'end' },
    },
    'api-podConfig': {
      path: `M204 ${api}H230Q236 ${api} 236 ${api + 6}V${loopY - 42}Q236 ${loopY - 36} 242 ${loopY - 36}H254`,
      badge: { x: 236, y: between(api, loopY - 36) },
      count: { x: 208, y: api - 13, anchor: 'start' },
    },
    'file-podConfig': {
      path: `M204 ${loopY}H254`,
      badge: { x: 229, y: loopY },
      count: { x: 208, y: loopY - 13, anchor: 'start' },
    },
    'http-podConfig': {
      path: `M204 ${http}H230Q236 ${http} 236 ${http - 6}V${loopY + 42}Q236 ${loopY + 36} 242 ${loopY + 36}H254`,
      badge: { x: 236, y: between(http, loopY + 36) },
      count: { x: 208, y: http + 21, anchor: 'start' },
    },
    'podConfig-syncLoop': {
      path: `M384 ${loopY}H446`,
      badge: { x: 415, y: loopY },
      count: { x: 389, y: loopY - 13, anchor: 'start' },
    },
    'syncLoop-podManager': {
      path: `M506 ${parts.syncLoop.y - 3}V${managers + 4}`,
      badge: { x: 506, y: managers + 24 },
      count: { x: 486, y: parts.syncLoop.y - 16, anchor: 'end' },
    },
    'podManager-mirrorClient': {
      path: `M596 ${middle('podManager')}H628`,
      badge: { x: 612, y: middle('podManager') },
      count: { x: 613, y: middle('podManager') + 20, anchor: 'middle' },
    },
    'syncLoop-podWorkers': {
      path: `M566 ${loopY}H628`,
      badge: { x: 597, y: loopY },
      count: { x: 598, y: loopY + 22, anchor: 'middle' },
    },
    'podWorkers-mirrorClient': toManager(726),
    'podWorkers-statusManager': toManager(941),
    'mirrorClient-apiServer': up(726, 'mirrorClient'),
    'statusManager-apiServer': up(941, 'statusManager'),
    'nodeController-apiServer': up(1134, 'nodeController'),
    'podWorkers-runtime-start': toRuntime(790),
    'podWorkers-runtime-stop': toRuntime(1027),
    'runtime-pleg': {
      path: `M506 ${parts.runtime.y}V${bottom('pleg') + 4}`,
      badge: { x: 506, y: bottom('pleg') + 30 },
      count: { x: 486, y: runtimeWordsY + 4, anchor: 'end' },
    },
    'pleg-syncLoop': {
      path: `M506 ${parts.pleg.y}V${bottom('syncLoop') + 6}`,
      badge: { x: 506, y: bottom('syncLoop') + 28 },
      count: { x: 486, y: parts.pleg.y - 40, anchor: 'end' },
    },
    'podWorkers-podWorkers': {
      path: `M1206 ${turn}H1215Q1221 ${turn} 1221 ${turn - 6}V${laneY - 6}Q1221 ${laneY - 12} 1215 ${laneY - 12}H865Q859 ${laneY - 12} 859 ${laneY - 6}V${laneY - 3}`,
      badge: { x: 1221, y: laneY + 110 },
      count: null,
    },
  }
}

/** The lane of those that come again: its head, one pod, a line. */
function recreatedHeight(laneHeight: number): number {
  return 104 + (laneHeight - 248) * 0.2
}

/** The layout of a picture of `wanted` units of height, as near to it as can be. Pure. */
export function layoutOf(wanted: number): Layout {
  const height = Math.min(tallest, Math.max(lowest, wanted))
  /** 0: as tall as it gets, 1: as low. */
  const spent = (tallest - height) / (tallest - lowest)
  const mix = (tall: number, low: number): number =>
    Math.round((tall + (low - tall) * spent) * 10) / 10
  const managersY = mix(128, 110)
  const workersY = mix(244, 220)
  const workersHeight = mix(360, 316)
  const workersEnd = workersY + workersHeight
  const runtimeY = mix(662, 588)
  const runtimeHeight = mix(86, 76)
  const loopY = mix(345, 307)
  const callsY = mix(92, 82)
  const runtimeWordsY = workersEnd + mix(33, 28)
  const laneY = workersY + 56
  const source = (y: number): Box => ({ x: 44, y, width: 160, height: 66 })
  const manager = (x: number, width: number): Box => ({ x, y: managersY, width, height: 78 })
  const parts: Readonly<Record<FlowPart, Box>> = {
    apiServer: { x: 24, y: mix(8, 4), width: 1216, height: 58 },
    api: source(mix(232, 200)),
    file: source(loopY - 33),
    http: source(mix(392, 348)),
    podConfig: { x: 258, y: loopY - 83, width: 126, height: 166 },
    syncLoop: { x: 449, y: loopY - 57, width: 114, height: 114 },
    podManager: manager(416, 180),
    mirrorClient: manager(632, 180),
    statusManager: manager(828, 188),
    nodeController: manager(1032, 190),
    podWorkers: { x: 632, y: workersY, width: 594, height: workersHeight },
    pleg: { x: 462, y: mix(516, 460), width: 88, height: 44 },
    runtime: { x: 24, y: runtimeY, width: 1216, height: runtimeHeight },
  }
  const frameY = mix(104, 92)
  const words = { callsY, runtimeWordsY, laneY, laneHeight: workersHeight - 68 }
  return {
    height,
    parts,
    frame: { x: 24, y: frameY, width: 1216, height: workersEnd + mix(20, 16) - frameY },
    loop: { x: 506, y: loopY },
    ...words,
    legendY: mix(504, 446),
    legendLine: mix(18, 16),
    arrows: arrowPlaces(parts, words),
  }
}

const tallLayout = layoutOf(tallest)

/** Where a lane stands; the one of those that wait grows with them. Pure. */
export function laneBox(name: LaneName, lane: Lane, { laneY, laneHeight }: Layout): Box {
  const full = { y: laneY, height: laneHeight }
  // The two on the right share the height, with an arrow between them.
  const recreated = recreatedHeight(laneHeight)
  const gap = 16 + (laneHeight - 248) * 0.25
  switch (name) {
    case 'waiting':
      return {
        ...full,
        x: 641,
        width: 106,
        height: lane.total === 0 ? 150 : lane.total === 1 ? 186 : laneHeight,
      }
    case 'SyncPod':
      return { ...full, x: 762, width: 193 }
    case 'TerminatingPod':
      return { ...full, x: 970, width: 114 }
    case 'TerminatedPod':
      return { ...full, x: 1100, width: 106, height: laneHeight - recreated - gap }
    case 'TerminatedAndRecreatedPod':
    default:
      return {
        x: 1100,
        y: laneY + laneHeight - recreated,
        width: 106,
        height: recreated,
      }
  }
}

/** How many pods a lane draws, and whether `and 3 more` takes the place of one of them. Pure. */
function laneRoom(
  name: LaneName,
  lane: Box,
): { readonly pods: number; readonly isShared: boolean } {
  switch (name) {
    case 'SyncPod':
      return { pods: Math.floor((lane.height - 36) / 21), isShared: true }
    case 'waiting':
      return { pods: Math.max(1, Math.floor((lane.height - 112) / 24)), isShared: true }
    case 'TerminatingPod':
      return { pods: Math.floor((lane.height - 84) / 50), isShared: false }
    case 'TerminatedPod':
      return { pods: 2, isShared: false }
    case 'TerminatedAndRecreatedPod':
    default:
      return { pods: 1, isShared: false }
  }
}

export interface Drawn {
  readonly tokens: readonly Token[]
  readonly more: number
}

/** `isShared`: the line for those without room takes the place of a pod. */
function drawnIn({ shown, total, more }: Lane, pods: number, isShared: boolean): Drawn {
  const room = isShared && total > pods ? pods - 1 : pods
  const hidden = shown.slice(room).filter(({ isLeaving }) => !isLeaving).length
  return { tokens: shown.slice(0, room), more: more + hidden }
}

/** What of a lane is drawn in `box`. Pure. */
export function laneShown(name: LaneName, lane: Lane, box: Box): Drawn {
  const { pods, isShared } = laneRoom(name, box)
  return drawnIn(lane, pods, isShared)
}

/** The sandboxes that are drawn: a row of tiles. Pure. */
export function tilesShown(tiles: Lane): Drawn {
  return drawnIn(tiles, 15, true)
}

/** Where a lane's pod stands. Pure. */
export function tokenBox(name: LaneName, lane: Box, index: number): Box {
  const { x, y, width } = lane
  switch (name) {
    case 'SyncPod':
      return { x: x + 6, y: y + 36 + index * 21, width: width - 12, height: 19 }
    case 'TerminatingPod':
      return { x: x + 6, y: y + 60 + index * 50, width: width - 12, height: 43 }
    case 'TerminatedAndRecreatedPod':
      return { x: x + 6, y: y + 60, width: width - 12, height: 21 }
    case 'waiting':
    case 'TerminatedPod':
    default:
      return { x: x + 6, y: y + 57 + index * 24, width: width - 12, height: 21 }
  }
}

/** Where `and 3 more` stands in a lane: after its `drawn` pods. Pure. */
export function moreBox(name: LaneName, lane: Box, drawn: number): Box {
  const { y } = tokenBox(name, lane, drawn)
  const isAfterOne = name === 'TerminatedAndRecreatedPod'
  return {
    x: lane.x + 6,
    width: lane.width - 12,
    height: 19,
    y: isAfterOne ? tokenBox(name, lane, 0).y + 22 : y,
  }
}

/** The n-th tile of the runtime. Pure. */
export function tileBox(index: number, { parts: { runtime } }: Layout): Box {
  const height = Math.min(58, runtime.height - 18)
  return {
    x: 250 + index * 65,
    y: runtime.y + (runtime.height - height) / 2,
    width: 62,
    height,
  }
}

/** A line of the causes under the sources. Pure. */
export function rootBox(index: number, { legendY, legendLine }: Layout): Box {
  return { x: 40, y: legendY - 9 + index * legendLine, width: 406, height: legendLine }
}

/** A box of the picture as CSS places it over the picture, whatever the scale. Pure. */
export function overlay(
  box: Box,
  { height }: Layout,
): {
  readonly left: string
  readonly top: string
  readonly width: string
  readonly height: string
} {
  const across = (value: number): string => `${((value / pictureWidth) * 100).toFixed(3)}%`
  const down = (value: number): string => `${((value / height) * 100).toFixed(3)}%`
  return {
    left: across(box.x),
    top: down(box.y),
    width: across(box.width),
    height: down(box.height),
  }
}

const LayoutContext = createContext<Layout>(tallLayout)

export const LayoutProvider = LayoutContext.Provider

export function useLayout(): Layout {
  return useContext(LayoutContext)
}
