/**
 * Files of key-value pairs: tab-separated text and JSON lines, both exact for all bytes.
 */
package org.onesided.tools.kvctl.pairs;
