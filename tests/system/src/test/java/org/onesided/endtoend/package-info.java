/**
 * Server and client together, over a real device.
 */
package org.onesided.endtoend;
