/**
 * What the kernel tells of this machine. Devices ask before they take memory; tools ask for what they print and check.
 */
package org.onesided.machine;
