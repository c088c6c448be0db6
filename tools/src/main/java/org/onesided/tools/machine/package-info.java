/**
 * What the kernel tells of this machine and its processes.
 */
package org.onesided.tools.machine;
