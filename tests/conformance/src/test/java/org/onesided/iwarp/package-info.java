/**
 * The device {@code tcp} seen from outside: a plain implementation of MPA, DDP and RDMAP, written from RFC 5044, 6581,
 * 5041 and 5040 alone, and what it shows of the device.
 */
package org.onesided.iwarp;
