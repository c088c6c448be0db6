/**
 * Many clients that connect to one server at once, in processes of their own.
 */
package org.onesided.endtoend.storm;
