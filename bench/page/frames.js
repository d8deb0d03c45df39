// What is measured in a page, the same in the product's and in the yardstick's; it stands in each before its own scripts.

window.longTasks = [];
new PerformanceObserver((entries) => {
  for (const { startTime, duration } of entries.getEntries()) window.longTasks.push({ startTime, duration });
}).observe({ type: 'longtask', buffered: true });

/**
 * Scrolls an element down at a steady speed, and back from its end. Resolves with the milliseconds of each frame, how many of them showed no
 * row in the middle, and the tasks above 50 ms meanwhile. Rejects where there is no row before it begins: nobody would see the list.
 */
window.measureScroll = ({ selector, row, pixelsPerSecond, milliseconds }) =>
  new Promise((resolve, reject) => {
    const scroller = document.querySelector(selector);
    const box = scroller.getBoundingClientRect();
    const middle = [box.left + box.width / 3, box.top + box.height / 2];
    const isBare = () => !document.elementFromPoint(...middle)?.closest(row);
    if (isBare()) {
      reject(new Error('The list is out of sight'));
      return;
    }
    const frames = [];
    let [bare, direction, began, before] = [0, 1, null, null];
    const frame = (now) => {
      began ??= now;
      if (before !== null) frames.push(now - before);
      if (isBare()) bare += 1;
      if (now - began >= milliseconds) {
        const longTasks = window.longTasks.filter(({ startTime }) => startTime >= began).map((task) => task.duration);
        resolve({ frames, bare, longTasks });
        return;
      }
      const end = scroller.scrollHeight - scroller.clientHeight;
      const next = scroller.scrollTop + (direction * pixelsPerSecond * (now - (before ?? now))) / 1000;
      if (next <= 0 || next >= end) direction = -direction;
      scroller.scrollTop = next;
      before = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
