/**
 * Commands about several servers that keep one table together.
 */
package org.onesided.tools.kvctl.cluster;
