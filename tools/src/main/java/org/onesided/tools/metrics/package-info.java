/**
 * A server's metrics over HTTP, in the text formats of Prometheus.
 */
package org.onesided.tools.metrics;
