/**
 * Commands about what a server keeps on disk.
 */
package org.onesided.tools.kvctl.storage;
