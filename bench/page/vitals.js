// How a page paints, how still it stands and how fast it answers, as the browser tells; stands before the page's own scripts.

window.vitals = { largestPaint: 0, shift: 0, interactions: new Map(), longTasks: [] };
const told = (type, take, more = {}) =>
  new PerformanceObserver((entries) => {
    for (const entry of entries.getEntries()) take(entry);
  }).observe({ type, buffered: true, ...more });
told('largest-contentful-paint', ({ startTime }) => {
  window.vitals.largestPaint = startTime;
});
told('layout-shift', ({ value, hadRecentInput }) => {
  if (!hadRecentInput) window.vitals.shift += value;
});
// An interaction is as long as the longest of its events. Those below 16 ms are not told at all.
told(
  'event',
  ({ interactionId, duration, name, processingStart, processingEnd, startTime }) => {
    if (!interactionId) return;
    const known = window.vitals.interactions.get(interactionId);
    if (known !== undefined && known.duration >= duration) return;
    window.vitals.interactions.set(interactionId, {
      duration,
      name,
      waited: processingStart - startTime,
      worked: processingEnd - processingStart,
    });
  },
  { durationThreshold: 16 },
);
told('longtask', ({ startTime, duration }) => window.vitals.longTasks.push({ startTime, duration }));
/** What was told so far. */
window.vitalsSoFar = () => ({ ...window.vitals, interactions: [...window.vitals.interactions.values()] });
