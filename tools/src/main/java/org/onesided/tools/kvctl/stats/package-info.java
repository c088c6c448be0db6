/**
 * Commands that measure a server: {@code kvctl stats} and {@code kvctl ping}.
 */
package org.onesided.tools.kvctl.stats;
