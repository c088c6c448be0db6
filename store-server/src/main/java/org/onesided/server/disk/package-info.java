/**
 * Files that must survive a crash: what is written, forced and replaced in which order.
 */
package org.onesided.server.disk;
