/** Which rendered objects the API server will refuse, and what in the user's resource causes it. */
export { predictRejections, type Rejection } from './predict-rejections.ts';
