/**
 * A client's counters, and the latencies of what is wrapped, as meters of Micrometer. Needs
 * {@code io.micrometer:micrometer-core}, which the library does not bring.
 */
@NullMarked
package org.onesided.client.micrometer;

import org.jspecify.annotations.NullMarked;
