/**
 * Worker processes of the benchmark against other stores: one system each, measured by the same code and driven by
 * lines on standard input. Systems of other makers are here, with their libraries; onesided's own are beside the
 * benchmark.
 */
package org.onesided.peers;
