/**
 * The library as applications build with it: its public types, and its artifacts.
 */
package org.onesided.library;
