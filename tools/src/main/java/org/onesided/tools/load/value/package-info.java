/**
 * Values that describe themselves, and what tells whether one that was read can be right.
 */
package org.onesided.tools.load.value;
