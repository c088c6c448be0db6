/**
 * The benchmark against other stores: starts them, lets workers measure them in turn, and reports ratios.
 */
package org.onesided.benchmark.peers;
