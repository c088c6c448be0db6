/**
 * How threads of this project wait: they poll for a while as long as that pays, and block otherwise; before another
 * attempt they pause. Client, server, devices and tools share these classes, so that they decide alike.
 *
 * <pre>
 *   Spin           polls or blocks, once per wait         uses Cores
 *   Cores          whether spinning may pay now
 *   Pause          waits before the next attempt          uses Cores
 *   Backoff        how long: a growing span with random delays
 *   Interruptible  waits that an interrupt ends, and that keep it for the caller
 *   LostWakeUps    counts sleeps that should have ended earlier
 * </pre>
 */
package org.onesided.waiting;
