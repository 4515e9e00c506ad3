/**
 * A list that stays at its end while it grows, until a person scrolls away, and again when they come back. Rows get their
 * height only when they are drawn, so the end moves without anybody scrolling: only what a person does counts as leaving.
 */
import { type RefObject, type UIEvent, useLayoutEffect, useRef } from 'react';

/** So near is at the end. */
const nearPixels = 80;

interface StayWish {
  readonly isOn: boolean;
  /** How high the whole list is. */
  readonly size: number;
  /** False: first it shows something else, such as the entry of a link. */
  readonly begins?: boolean;
}

interface Handlers {
  readonly onScroll: (event: UIEvent<HTMLElement>) => void;
  readonly onWheel: () => void;
  readonly onTouchMove: () => void;
  readonly onKeyDown: () => void;
  readonly onPointerDown: () => void;
}

export function useStayAtEnd(
  element: RefObject<HTMLElement | null>,
  { isOn, size, begins = true }: StayWish,
): Handlers {
  const place = useRef({ isAtEnd: begins, isMovedByPerson: false });
  const wasOn = useRef(false);
  useLayoutEffect(() => {
    const frame = element.current;
    if (isOn && !wasOn.current) place.current = { isAtEnd: begins, isMovedByPerson: false };
    wasOn.current = isOn;
    if (isOn && place.current.isAtEnd && frame !== null) frame.scrollTop = frame.scrollHeight;
  }, [isOn, size]);
  const move = (): void => {
    place.current.isMovedByPerson = true;
  };
  return {
    onScroll: ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
      if (!place.current.isMovedByPerson) return;
      const isAtEnd = scrollHeight - scrollTop - clientHeight < nearPixels;
      place.current = { isAtEnd, isMovedByPerson: !isAtEnd };
    },
    onWheel: move,
    onTouchMove: move,
    onKeyDown: move,
    onPointerDown: move,
  };
}
