/**
 * How operations fail: one exception for each way out, and whether the write that failed may have taken effect. All
 * packages of the client throw them; they depend on none.
 */
package org.onesided.client.exceptions;
