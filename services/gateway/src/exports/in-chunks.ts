import { yieldToEventLoop } from '@zakup/async/event-loop';
import { createYielder } from '@zakup/async/yielder';

/** Characters that are put together before they are given on; between two chunks, and within one that takes long, others get their turn. */
const chunkLength = 32_768;

/** The texts joined to chunks of a size that streams well. */
export const inChunks = async function* (
  texts: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  const yieldIfDue = createYielder();
  let parts: string[] = [];
  let length = 0;
  for await (const text of texts) {
    parts.push(text);
    length += text.length;
    await yieldIfDue();
    if (length < chunkLength) continue;
    yield parts.join('');
    await yieldToEventLoop();
    parts = [];
    length = 0;
  }
  if (length > 0) yield parts.join('');
};
