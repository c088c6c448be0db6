/**
 * What the store does about asynchronous events.
 */
package org.onesided.endtoend.events;
